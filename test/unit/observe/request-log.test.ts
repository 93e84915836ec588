import { VirtualClock } from '../../../mockserver/ground/clock.js';
import { RequestLog, type RequestLogOptions } from '../../../mockserver/observe/request-log.js';

function logWith(options: Partial<RequestLogOptions> = {}) {
  const clock = new VirtualClock();
  const lines: string[] = [];
  const log = new RequestLog({
    clock,
    write: (line) => lines.push(line.replaceAll(/ {2,}/g, '  ')),
    colours: false,
    verbose: false,
    ...options,
  });
  const ask = (url: string, code: number | undefined, ms = 2) => {
    const observation = log.begin({ method: 'GET', url, userAgent: 'kubectl/v1.36.3 (linux)' });
    clock.advance(ms);
    if (code !== undefined) observation.answered(code);
    return observation;
  };
  return { clock, lines, ask };
}

const WATCH = '/api/v1/pods?watch=1';

test('a request has a line when its answer has ended', () => {
  const { lines, ask } = logWith();
  const observation = ask('/api/v1/pods', 200);
  expect(lines).toEqual([]);
  observation.ended();
  expect(lines).toEqual(['list  pods  200  2.0 ms  kubectl']);
});

test('a request without an answer has a line too', () => {
  const { lines, ask } = logWith();
  ask('/api/v1/pods', undefined).ended();
  expect(lines).toEqual(['list  pods  ---  2.0 ms  kubectl']);
});

test('a watch has its line when it opens, and no other', () => {
  const { clock, lines, ask } = logWith();
  const observation = ask(WATCH, 200);
  expect(lines).toEqual(['watch  pods  200  2.0 ms  kubectl']);
  clock.advance(5000);
  observation.ended();
  expect(lines).toHaveLength(1);
});

test('a watch that is refused is a request like any other', () => {
  const { lines, ask } = logWith();
  ask(WATCH, 410).ended();
  expect(lines).toEqual(['watch  pods  410  2.0 ms  kubectl']);
});

test('a watch that is opened again and again is folded, whatever comes between, and counted', () => {
  const { clock, lines, ask } = logWith();
  ask(WATCH, 200);
  ask('/api/v1/watch/nodes', 200);
  ask(WATCH, 200);
  ask(WATCH, 200);
  expect(lines).toHaveLength(2);
  clock.advance(60_000);
  ask(WATCH, 200);
  expect(lines).toHaveLength(3);
  expect(lines[2]).toBe('watch  pods  200  2.0 ms  kubectl  (and 2 before)');
});

test('in verbose every watch has a line, one more when it ends, and the whole name of the client', () => {
  const { clock, lines, ask } = logWith({ verbose: true });
  ask(WATCH, 200);
  const second = ask(WATCH, 200);
  clock.advance(12_000);
  second.ended();
  expect(lines).toEqual([
    'watch  pods  200  2.0 ms  kubectl/v1.36.3 (linux)',
    'watch  pods  200  2.0 ms  kubectl/v1.36.3 (linux)',
    'watch  pods  200 ended after 12.0 s  kubectl/v1.36.3 (linux)',
  ]);
});

test.each([
  [200, 32],
  [304, 36],
  [404, 33],
  [500, 31],
])('with colours %d is of colour %d', (code, colour) => {
  const { lines, ask } = logWith({ colours: true });
  ask('/version', code).ended();
  expect(lines[0]).toContain(`\x1b[${colour}m${code}\x1b[0m`);
});
