/**
 * Homebrew's formula. It installs the npm packages, as Homebrew asks of command-line programs for Node
 * (https://docs.brew.sh/Node-for-Formula-Authors). All of them are pinned by digest, so npm downloads nothing.
 */
import { getPlatformPackage, NAMES } from '../names.ts';
import {
  getModelsTarball,
  getTarball,
  type ManifestFiles,
  type PublishedArtifact,
  type Release,
} from './release.ts';

/** Returns `<name>.rb`. @throws MissingArtifactError if a package was not made */
export function createFormula(release: Release): ManifestFiles {
  const main = getTarball(release, NAMES.npm);
  const platform = (name: string) => getTarball(release, getPlatformPackage(name));
  const text = `class ${toClassName(NAMES.npm)} < Formula
  desc ${quoteRuby(release.summary)}
  homepage ${quoteRuby(NAMES.homepage)}
  url ${quoteRuby(main.url)}
  sha256 ${quoteRuby(main.sha256)}
  license ${quoteRuby(release.license)}

  depends_on "node"

${renderSystem('macos', platform('darwin-arm64'), platform('darwin-x64'))}

${renderSystem('linux', platform('linux-arm64'), platform('linux-x64'))}

${indent(renderResource('models', getModelsTarball(release)), 2)}

  def install
    system "npm", "install", *std_npm_args, "--offline", "--omit=optional", *resources.map(&:cached_download)
    bin.install_symlink libexec.glob("bin/*")
    man1.install_symlink libexec.glob("share/man/man1/*")
    generate_completions_from_executable(bin/"${NAMES.command}", "completion")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/${NAMES.command} --version")
    assert_equal 1, JSON.parse(shell_output("#{bin}/${NAMES.command} demo --json --no-daemon"))["rank"]
  end
end
`;
  return { [`${NAMES.npm}.rb`]: text };
}

function renderSystem(name: string, arm: PublishedArtifact, intel: PublishedArtifact): string {
  const cpus = [
    ['arm', arm],
    ['intel', intel],
  ] as const;
  const blocks = cpus.map(
    ([cpu, file]) => `  on_${cpu} do\n${indent(renderResource('platform', file), 4)}\n  end`,
  );
  return indent(`on_${name} do\n${blocks.join('\n\n')}\nend`, 2);
}

function renderResource(name: string, { url, sha256 }: PublishedArtifact): string {
  return `resource "${name}" do\n  url ${quoteRuby(url)}\n  sha256 ${quoteRuby(sha256)}\nend`;
}

const indent = (text: string, spaces: number) => text.replaceAll(/^(?=.)/gm, ' '.repeat(spaces));

/** Returns a Ruby string. `#` would start an interpolation. */
const quoteRuby = (text: string) => JSON.stringify(text).replaceAll('#', '\\#');

const toClassName = (name: string) =>
  name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
