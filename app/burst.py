"""`panel serve app/burst.py`: the burst lab."""

from app.served import served
from labs import burst

served(burst)
