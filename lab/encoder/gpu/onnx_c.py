"""Runs models in a library of onnxruntime by its C interface, so that no Node.js and no Python package of it is needed."""

import ctypes
import os

import numpy as np

# Version of the interface, of onnxruntime 1.14 and later, and positions in OrtApi, whose order never changes.
VERSION = 14
POSITIONS = {
    "GetErrorMessage": 2,
    "CreateEnv": 3,
    "DisableTelemetryEvents": 6,
    "CreateSessionFromArray": 8,
    "Run": 9,
    "CreateSessionOptions": 10,
    "SetIntraOpNumThreads": 24,
    "CreateTensorWithDataAsOrtValue": 49,
    "GetTensorMutableData": 51,
    "CreateCpuMemoryInfo": 69,
    "ReleaseStatus": 93,
    "ReleaseSession": 95,
    "ReleaseValue": 96,
    "GetAvailableProviders": 125,
    "SessionOptionsAppendExecutionProvider": 216,
}
WITHOUT_STATUS = {"GetErrorMessage": ctypes.c_char_p, "ReleaseStatus": None, "ReleaseSession": None, "ReleaseValue": None}
INT64, SILENT = 7, 4


class Library:
    """A loaded library. Raises OSError if it cannot be loaded."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        base = self.library.OrtGetApiBase
        base.restype = ctypes.POINTER(ctypes.c_void_p)
        get_api = ctypes.CFUNCTYPE(ctypes.POINTER(ctypes.c_void_p), ctypes.c_uint32)(base()[0])
        self.table = get_api(VERSION)
        self.env = self.made("CreateEnv", SILENT, b"locus")
        self.call("DisableTelemetryEvents", self.env)
        self.memory = self.made("CreateCpuMemoryInfo", 0, 0)

    def call(self, name, *values):
        """Calls a function. Raises RuntimeError with onnxruntime's message if it fails."""
        result = WITHOUT_STATUS.get(name, ctypes.c_void_p)
        function = ctypes.CFUNCTYPE(result, *map(kind_of, values))(self.table[POSITIONS[name]])
        status = function(*values)
        return status if name in WITHOUT_STATUS else self.check(status)

    def use_cuda(self, options):
        """Adds the CUDA provider, which has a function of its own. Its library has to be beside this one."""
        append = self.library.OrtSessionOptionsAppendExecutionProvider_CUDA
        append.restype = ctypes.c_void_p
        self.check(append(options, 0))

    def check(self, status):
        """Raises RuntimeError with onnxruntime's message if a status is not null."""
        if not status:
            return
        message = self.call("GetErrorMessage", ctypes.c_void_p(status)).decode()
        self.call("ReleaseStatus", ctypes.c_void_p(status))
        raise RuntimeError(message)

    def made(self, name, *values):
        """Returns the object that a function makes in its last argument."""
        made = ctypes.c_void_p()
        self.call(name, *values, ctypes.byref(made))
        return made

    def providers(self):
        """Returns the names of the providers that the library has."""
        names, count = ctypes.POINTER(ctypes.c_char_p)(), ctypes.c_int()
        self.call("GetAvailableProviders", ctypes.byref(names), ctypes.byref(count))
        return [names[i].decode() for i in range(count.value)]


def kind_of(value):
    """Returns the C type of an argument."""
    if isinstance(value, int):
        return ctypes.c_int
    if isinstance(value, bytes):
        return ctypes.c_char_p
    return ctypes.c_void_p if not isinstance(value, ctypes.c_size_t) else ctypes.c_size_t


class Session:
    """A loaded model. provider: "CPU", "WebGPU" or "CUDA". threads: of the CPU, 0 for one per core."""

    def __init__(self, library, model, provider, threads=0):
        self.library = library
        options = library.made("CreateSessionOptions")
        library.call("SetIntraOpNumThreads", options, threads)
        if provider == "CUDA":
            library.use_cuda(options)
        elif provider != "CPU":
            none = ctypes.c_void_p()
            library.call("SessionOptionsAppendExecutionProvider", options, provider.encode(), none, none, ctypes.c_size_t(0))
        self.session = library.made("CreateSessionFromArray", library.env, model, ctypes.c_size_t(len(model)), options)

    def run(self, inputs, output, width):
        """Returns an output, float32 [rows, width]. inputs: {name: int64 [rows, columns]}."""
        arrays = [np.ascontiguousarray(array, np.int64) for array in inputs.values()]
        values = [self.tensor(array) for array in arrays]
        results = (ctypes.c_void_p * 1)()
        given = (ctypes.c_void_p * len(values))(*(value.value for value in values))
        names = (ctypes.c_char_p * len(values))(*(name.encode() for name in inputs))
        outputs = (ctypes.c_char_p * 1)(output.encode())
        sizes = ctypes.c_size_t(len(values)), ctypes.c_size_t(1)
        pointers = [ctypes.cast(array, ctypes.c_void_p) for array in (names, given, outputs, results)]
        self.library.call("Run", self.session, ctypes.c_void_p(), *pointers[:2], sizes[0], pointers[2], sizes[1], pointers[3])
        data = ctypes.POINTER(ctypes.c_float)()
        self.library.call("GetTensorMutableData", ctypes.c_void_p(results[0]), ctypes.byref(data))
        made = np.ctypeslib.as_array(data, (len(arrays[0]), width)).copy()
        for value in (*values, ctypes.c_void_p(results[0])):
            self.library.call("ReleaseValue", value)
        return made

    def tensor(self, array):
        shape = (ctypes.c_int64 * array.ndim)(*array.shape)
        data = array.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(array.nbytes)
        sizes = ctypes.cast(shape, ctypes.c_void_p), ctypes.c_size_t(array.ndim)
        return self.library.made("CreateTensorWithDataAsOrtValue", self.library.memory, *data, *sizes, INT64)


def library_of(folder):
    """Returns the path of the library in a folder."""
    return os.path.join(folder, "libonnxruntime.so.1")
