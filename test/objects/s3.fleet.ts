import { after, before, describe } from 'node:test';
import { openObjects } from '../../src/services/objects/open.ts';
import { type Moto, pretendToBeSomebody, startMoto } from '../fleet/moto.ts';
import { keepsTheContract } from './contract.ts';

describe('objects in a bucket', () => {
  let moto: Moto;
  before(async () => {
    pretendToBeSomebody();
    moto = await startMoto();
    await moto.makeBucket('shared');
  });
  after(() => moto.stop());

  keepsTheContract(() => openObjects(`s3://shared/some/prefix?endpoint=${moto.endpoint}`));
});
