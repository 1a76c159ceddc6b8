"""`panel serve app/flatten.py`: the flatten lab."""

from app.served import served
from labs import flatten

served(flatten)
