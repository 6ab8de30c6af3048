import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { isOnBattery, type PowerSources } from '../../src/services/power.ts';
import { removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';

describe('power', () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => removeFolder(folder));

  /** An operating system whose programs print this. */
  const system = (platform: NodeJS.Platform, printed?: string): PowerSources => ({
    platform,
    supplies: folder,
    run: async () => {
      if (printed === undefined) throw new Error('spawn ENOENT');
      return printed;
    },
  });

  it('Linux: a discharging battery of the machine', async () => {
    const linux = system('linux');
    assert.equal(await isOnBattery(linux), false, 'no battery');
    writeFiles(folder, {
      'mouse/type': 'Battery\n',
      'mouse/scope': 'Device\n',
      'mouse/status': 'Discharging\n',
    });
    assert.equal(await isOnBattery(linux), false, 'a mouse');
    writeFiles(folder, { 'AC/type': 'Mains\n', 'BAT0/type': 'Battery\n', 'BAT0/status': 'Full\n' });
    assert.equal(await isOnBattery(linux), false, 'full');
    writeFiles(folder, { 'BAT0/status': 'Discharging\n' });
    assert.equal(await isOnBattery(linux), true);
    assert.equal(await isOnBattery({ ...linux, supplies: `${folder}/missing` }), false);
  });

  it('macOS: what pmset draws from', async () => {
    assert.equal(await isOnBattery(system('darwin', "Now drawing from 'Battery Power'\n")), true);
    assert.equal(await isOnBattery(system('darwin', "Now drawing from 'AC Power'\n")), false);
    assert.equal(await isOnBattery(system('darwin')), false);
  });

  it('Windows: the status of a battery', async () => {
    for (const status of ['1', '4', '5', '2\r\n1'])
      assert.equal(await isOnBattery(system('win32', `${status}\r\n`)), true, status);
    for (const status of ['', '2', '3', '6', '11'])
      assert.equal(await isOnBattery(system('win32', `${status}\r\n`)), false, status);
    assert.equal(await isOnBattery(system('win32')), false);
  });

  it('other systems: no battery', async () => {
    assert.equal(await isOnBattery(system('freebsd', '1')), false);
  });
});
