/**
 * Converts instances of public benchmarks to the fields of SWE-bench, which `locus eval` reads. SWE-bench Lite and Verified, Loc-Bench
 * (`edit_functions` is its truth) and SWE-PolyBench (`modified_nodes`) have these fields and more. Multi-SWE-bench names a pull
 * request, with the issues that it resolves.
 */
import { z } from 'zod';
import { type EvaluationInstance, parseJsonLines } from '../../src/services/evaluation/dataset.ts';

const sweBench = z.object({
  instance_id: z.string(),
  repo: z.string(),
  base_commit: z.string(),
  problem_statement: z.string(),
  patch: z.string(),
});

const multiSweBench = z
  .object({
    org: z.string(),
    repo: z.string(),
    number: z.number(),
    base: z.object({ sha: z.string() }),
    resolved_issues: z.array(z.object({ title: z.string(), body: z.string().nullish() })).min(1),
    fix_patch: z.string(),
  })
  .transform(({ org, repo, number, base, resolved_issues, fix_patch }) => ({
    instance_id: `${org}__${repo}-${number}`,
    repo: `${org}/${repo}`,
    base_commit: base.sha,
    problem_statement: resolved_issues
      .map(({ title, body }) => (body ? `${title}\n\n${body}` : title))
      .join('\n\n'),
    patch: fix_patch,
  }));

const published = z.union([multiSweBench, sweBench]);

/**
 * Reads the JSON Lines of a benchmark.
 * @param name file name, for errors
 * @throws LocusError `bad-input`
 */
export function convertInstances(text: string, name: string): EvaluationInstance[] {
  const remedy = 'Give the JSON Lines of SWE-bench, Loc-Bench, SWE-PolyBench or Multi-SWE-bench.';
  return [...parseJsonLines(text, name, published, remedy)];
}
