import * as electron from 'electron';
import { start } from './start.ts';

start(electron);
