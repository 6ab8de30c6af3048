"""Arguments of jobs as JSON, with the few types that JSON lacks."""

import base64
import json
from datetime import date, datetime
from decimal import Decimal

from .errors import TasklaneError

TAG = "$type"


def _encode(value):
    if isinstance(value, datetime):
        return {TAG: "datetime", "value": value.isoformat()}
    if isinstance(value, date):
        return {TAG: "date", "value": value.isoformat()}
    if isinstance(value, Decimal):
        return {TAG: "decimal", "value": str(value)}
    if isinstance(value, bytes):
        return {TAG: "bytes", "value": base64.b64encode(value).decode()}
    raise TasklaneError(f"{type(value).__name__} cannot be an argument of a job")


DECODERS = {
    "datetime": datetime.fromisoformat,
    "date": date.fromisoformat,
    "decimal": Decimal,
    "bytes": base64.b64decode,
}


def _decode(mapping):
    decoder = DECODERS.get(mapping.get(TAG))
    return decoder(mapping["value"]) if decoder else mapping


def dumps(args, kwargs):
    return json.dumps([list(args), kwargs], default=_encode)


def loads(text):
    args, kwargs = json.loads(text, object_hook=_decode)
    return tuple(args), kwargs
