// The only way to onnxruntime: its telemetry is off before the library is loaded.
import '../../base/no-telemetry.ts';

export * from 'onnxruntime-node';
