/** Every feature's commands; importing this registers them. */
import '../features/compare/commands.ts';
import '../features/exchange/commands.ts';
import '../features/fleet/commands.ts';
import '../features/issue/commands.ts';
import '../features/link/commands.ts';
import '../features/neighbors/commands.ts';
import '../features/model-input/commands.ts';
import '../features/palette/commands.ts';
import '../features/preview/commands.ts';
import '../features/results/commands.ts';
import '../features/settings/commands.ts';
import '../features/status/commands.ts';
import '../features/verify/commands.ts';
import '../features/welcome/commands.ts';
import './view-commands.ts';
