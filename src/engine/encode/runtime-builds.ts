/** Systems for which ONNX Runtime has no build, or no current one. Rerankers need it; bag models do not. */
import { usesMusl } from '../../base/musl.ts';
import { LocusError } from '../../shared/errors.ts';
import { PACKAGE } from '../../shared/version.ts';

/** Returns an error that says so if ONNX Runtime has no build for this system; null otherwise. */
export function findMissingBuild(): LocusError | null {
  return usesMusl()
    ? new LocusError(
        'device',
        'ONNX Runtime has no build for Linux with musl.',
        'Lists keep their initial ranking. To rerank them, run Locus on Linux with glibc, such as Debian.',
      )
    : null;
}

type System = Pick<NodeJS.Process, 'platform' | 'arch'>;

/** Returns true for a Mac with Intel. Its last build of ONNX Runtime is an older one, which the npm package for it contains. */
const hasOlderBuild = ({ platform, arch }: System) => platform === 'darwin' && arch === 'x64';

/** Describes the installed ONNX Runtime. */
export function describeBuild(
  version: string,
  devices: readonly string[],
  system: System = process,
): string {
  const detail = `${version}, built for ${devices.join(', ')}`;
  return hasOlderBuild(system)
    ? `${detail}; the last version for Macs with Intel, so reranked lists can differ slightly from those of other machines`
    : detail;
}

/** Returns what to do if ONNX Runtime cannot be loaded although there is a build; null to reinstall Locus. */
export const findBuildRemedy = (system: System = process): string | null =>
  hasOlderBuild(system)
    ? `Use the npm package, which has the last version for Macs with Intel: npm install -g ${PACKAGE}.`
    : null;
