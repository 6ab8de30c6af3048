"""Writes ONNX models and reads their constants, as a protocol buffer (onnx.proto3) with the few fields that an encoder needs."""

import struct

import numpy as np

_TYPES = {"float32": 1, "uint8": 2, "int8": 3, "int32": 6, "int64": 7, "float16": 10}
FLOAT, UINT8, INT32, INT64, FLOAT16 = 1, 2, 6, 7, 10
MICROSOFT = "com.microsoft"


def model(nodes, constants, inputs, output, opset=17, given=None):
    """Returns the bytes of a model.

    nodes: (operator, inputs, output or outputs, {attribute: int, float or list of ints}); the names of onnxruntime's own
    operators begin with "com.microsoft.". constants: {name: array}. inputs: {name: (FLOAT, INT64 or UINT8, dims)}. output:
    (name, dims). A dim is a number or the name of one. given: {name: (dtype, shape)}, constants that are supplied when the
    model is loaded, as external data of that name.
    """
    graph = b"".join(
        [
            *(_message(1, _node(*node)) for node in nodes),
            _text(2, "encoder"),
            *(_message(5, _tensor(name, array)) for name, array in constants.items()),
            *(_message(5, _given(name, *of)) for name, of in (given or {}).items()),
            *(_message(11, _value(name, *of)) for name, of in inputs.items()),
            _message(12, _value(output[0], FLOAT, output[1])),
        ]
    )
    opsets = _message(8, _text(1, "") + _number(2, opset))
    if any(node[0].startswith(MICROSOFT) for node in nodes):
        opsets += _message(8, _text(1, MICROSOFT) + _number(2, 1))
    return _number(1, 8) + _text(2, "locus") + _message(7, graph) + opsets


def _node(operator, inputs, outputs, attributes=None):
    domain, _, name = operator.rpartition(".")
    outputs = [outputs] if isinstance(outputs, str) else outputs
    return b"".join(
        [
            *(_text(1, of) for of in inputs),
            *(_text(2, of) for of in outputs),
            _text(4, name),
            *(_message(5, _attribute(*of)) for of in (attributes or {}).items()),
            *([_text(7, domain)] if domain else []),
        ]
    )


def _attribute(name, value):
    if isinstance(value, float):
        return _text(1, name) + _varint(2 << 3 | 5) + struct.pack("<f", value) + _number(20, 1)
    if isinstance(value, list):
        return _text(1, name) + b"".join(_number(8, of) for of in value) + _number(20, 7)
    return _text(1, name) + _number(3, value) + _number(20, 2)


def _tensor(name, array):
    array = np.ascontiguousarray(array)
    dims = b"".join(_number(1, size) for size in array.shape)
    return dims + _number(2, _TYPES[str(array.dtype)]) + _text(8, name) + _message(9, array.tobytes())


def _given(name, dtype, shape):
    entries = {"location": name, "offset": 0, "length": int(np.prod(shape)) * np.dtype(dtype).itemsize}
    dims = b"".join(_number(1, size) for size in shape)
    external = b"".join(_message(13, _text(1, key) + _text(2, str(value))) for key, value in entries.items())
    return dims + _number(2, _TYPES[dtype]) + _text(8, name) + external + _number(14, 1)


def _value(name, kind, dims):
    shape = b"".join(_message(1, _text(2, size) if isinstance(size, str) else _number(1, size)) for size in dims)
    return _text(1, name) + _message(2, _message(1, _number(1, kind) + _message(2, shape)))


def _number(field, value):
    return _varint(field << 3) + _varint(value)


def _text(field, value):
    return _message(field, value.encode())


def _message(field, content):
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def _varint(value):
    value &= (1 << 64) - 1  # Negative numbers are written in two's complement.
    made = bytearray()
    while value > 127:
        made.append(value & 127 | 128)
        value >>= 7
    made.append(value)
    return bytes(made)


def read_constants(data):
    """Returns the constants of a model that model() wrote, without `given` ones: {name: array}. Raises ValueError or
    KeyError for other bytes."""
    graph = _read(_read(memoryview(data))[7][0])
    tensors = [_read(tensor) for tensor in graph[5]]
    return dict(_read_tensor(fields) for fields in tensors if 14 not in fields)


def _read_tensor(fields):
    dtype = {number: name for name, number in _TYPES.items()}[fields[2][0]]
    array = np.frombuffer(fields[9][0], dtype).reshape(fields.get(1, []))
    return str(fields[8][0], "utf-8"), array


def _read(message):
    """Returns {field: [values]}. A value is a number or a memoryview of the content."""
    fields, at = {}, 0
    while at < len(message):
        key, at = _read_varint(message, at)
        value, at = _read_varint(message, at)
        if key & 7 == 2:
            content = message[at : at + value]
            if len(content) < value:
                raise ValueError("the model is truncated")
            value, at = content, at + len(content)
        elif key & 7 != 0:
            raise ValueError("not a model that this module wrote")
        fields.setdefault(key >> 3, []).append(value)
    return fields


def _read_varint(message, at):
    """Returns a number, and the position after it."""
    value = 0
    for shift, byte in enumerate(message[at : at + 10]):  # A 64-bit number has at most 10 bytes.
        value |= (byte & 127) << 7 * shift
        if byte < 128:
            return value, at + shift + 1
    raise ValueError("the model is truncated")
