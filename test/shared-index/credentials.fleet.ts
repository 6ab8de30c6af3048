/* A server that checks who asks. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openObjects } from '../../src/services/objects/open.ts';
import { type Moto, pretendToBeSomebody, startMoto } from '../fleet/moto.ts';

describe('credentials', () => {
  let moto: Moto;
  const names = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_PROFILE', 'HOME'] as const;
  const environment = Object.fromEntries(names.map((name) => [name, process.env[name]]));
  before(async () => {
    pretendToBeSomebody();
    // The first request creates the bucket. After that, credentials are checked.
    moto = await startMoto({ INITIAL_NO_AUTH_ACTION_COUNT: '1' });
    await moto.makeBucket('private');
  });
  after(async () => {
    for (const name of names) {
      delete process.env[name];
      if (environment[name] !== undefined) process.env[name] = environment[name];
    }
    await moto.stop();
  });

  const open = () => openObjects(`s3://private/locus?endpoint=${moto.endpoint}`);

  it('that are wrong are reported, but not quoted', async () => {
    process.env.AWS_ACCESS_KEY_ID = 'AKIAWRONGWRONGWRONG1';
    process.env.AWS_SECRET_ACCESS_KEY = 'wrong-secret-wrong-secret';
    const store = await open();
    for (const ask of [
      () => store.get('x'),
      () => store.put('x', Buffer.from('x'), null),
      () => store.size('x'),
      () => store.delete('x'),
    ])
      await assert.rejects(ask(), (error: Error & { code: string; remedy: string }) => {
        assert.equal(error.code, 'bad-objects');
        assert.match(error.message, /the credentials do not allow this/);
        assert.match(error.remedy, /Use other credentials/);
        assert.doesNotMatch(`${error.stack}${JSON.stringify(error)}`, /WRONG|wrong-secret/);
        return true;
      });
    store.close();
  });

  it('that are missing are reported', async () => {
    for (const name of names) delete process.env[name];
    process.env.HOME = '/nonexistent';
    const store = await open();
    await assert.rejects(store.get('x'), {
      code: 'bad-objects',
      message: /no credentials were found on this machine/,
      remedy: /aws sso login/,
    });
    store.close();
  });
});
