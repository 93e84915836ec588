/** A difference written down: for people, and as recorded exchanges. */

const SHORT = 1_500;
const cut = (text) => (text.length > SHORT ? `${text.slice(0, SHORT)}…` : text);

/** Requests and both answers of a shrunk difference. Shape: indented lines; only the differing step shows what was answered. */
export function reproduction({ steps, played, signature }) {
  const lines = [];
  for (const step of steps) {
    const body = step.body === undefined ? '' : ` ${cut(JSON.stringify(step.body))}`;
    const what =
      step.op === 'request' ? `${step.method} ${step.path}` : `${step.op} ${step.path ?? `of ${step.watch}`}`;
    const headers = Object.entries(step.headers ?? {}).map(([name, value]) => ` ${name}=${value}`);
    lines.push(`  ${step.id}. ${what}${headers.join('')}${body}`);
  }
  const last = played.at(-1);
  if (last !== undefined && signature !== undefined) {
    const said = (answer) =>
      cut(
        answer.lines === undefined
          ? `${answer.code} ${answer.text.trim()}`
          : answer.lines.join('\n          '),
      );
    lines.push(`    real: ${said(last.answers[0])}`, `    ours: ${said(last.answers[1])}`);
  }
  return lines.join('\n');
}

/** Headers of a real answer that tell nothing. */
const DULL = new Set(['date', 'content-length', 'connection', 'transfer-encoding']);

/** What fixtures/recorded/differential/ keeps: the steps, and what the real server answered. */
export function exchanges({ signature, seed, index, steps, played, prefix }) {
  return {
    source: `kube-apiserver 1.36.3, test/differential, seed ${seed}, episode ${index}`,
    difference: signature,
    recorded: new Date().toISOString(),
    prefix,
    steps,
    answers: played.map(({ step, answers: [real] }) => ({
      step: step.id,
      ...real,
      ...(real.headers && { headers: told(real.headers) }),
    })),
  };
}

const told = (headers) => Object.fromEntries(Object.entries(headers).filter(([name]) => !DULL.has(name)));
