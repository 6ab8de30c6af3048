import { dumpIndex } from './support/dump.ts';

const [a, b] = [dumpIndex(process.argv[2]!), dumpIndex(process.argv[3]!)] as Record<
  string,
  string[]
>[];
for (const key of Object.keys(a)) {
  const A = new Set(a[key]!);
  const B = new Set(b[key]!);
  const only = [...A].filter((x) => !B.has(x));
  const onlyB = [...B].filter((x) => !A.has(x));
  console.log(
    key,
    A.size,
    B.size,
    'only a',
    only.length,
    'only b',
    onlyB.length,
    only[0]?.slice(0, 200) ?? '',
    onlyB[0]?.slice(0, 200) ?? '',
  );
}
