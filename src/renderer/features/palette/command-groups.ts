/** Groups commands for the palette: the most useful ones first, rarely needed ones last. */
import { COMMAND_GROUPS, type Command, getGroup } from '../../platform/commands.ts';

export interface PaletteGroup {
  heading: string;
  commands: readonly Command[];
}

/** Commands that people use most, in this order. They come first until the user has run some. */
const COMMON = [
  'issue.search',
  'repository.openFolder',
  'code.goTo',
  'issue.new',
  'results.export',
  'view.settings',
  'help.shortcuts',
];

/** Commands for setups that few people have. */
const RARE = ['repository.all', 'view.setUpSharedIndex', 'check.setUp'];

/** Returns the non-empty groups. @param recentIds ids of commands that were run, the latest first */
export function groupCommands(
  commands: readonly Command[],
  recentIds: readonly string[],
): PaletteGroup[] {
  const pick = (ids: readonly string[]) =>
    ids.flatMap((id) => commands.filter((command) => command.id === id));
  const recent = pick(recentIds);
  const first = recent.length > 0 ? recent : pick(COMMON);
  const rare = pick(RARE).filter((command) => !first.includes(command));
  const others = commands.filter((command) => !first.includes(command) && !rare.includes(command));
  const byGroup = Map.groupBy(others, getGroup);
  return [
    { heading: recent.length > 0 ? 'Recent' : 'Most used', commands: first },
    ...COMMAND_GROUPS.map((heading) => ({ heading, commands: byGroup.get(heading) ?? [] })),
    { heading: 'Teams and language models', commands: rare },
  ].filter(({ commands }) => commands.length > 0);
}
