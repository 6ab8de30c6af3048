// The only import of onnxruntime. It turns telemetry off before the library is loaded.
import '../../base/no-telemetry.ts';

export * from 'onnxruntime-node';
