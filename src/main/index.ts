import '../base/no-telemetry.ts';
import * as electron from 'electron';
import { start } from './start.ts';

start(electron);
