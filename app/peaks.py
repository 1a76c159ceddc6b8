"""`panel serve app/peaks.py`: the peaks lab."""

from app.served import served
from labs import peaks

served(peaks)
