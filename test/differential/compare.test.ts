/** The comparison excuses what a server chooses, and nothing else. */
import { compareAnswers, newBindings } from './compare.mjs';

const written = (manager: string, second: number, field = manager): object => ({
  manager,
  operation: 'Update',
  apiVersion: 'v1',
  time: `2026-01-01T00:00:0${second}Z`,
  fieldsType: 'FieldsV1',
  fieldsV1: { [`f:${field}`]: {} },
});

const places = (real: readonly object[], ours: readonly object[]): readonly string[] => {
  const [a, b] = [real, ours].map((managedFields) => ({
    code: 200,
    headers: {},
    text: JSON.stringify({ kind: 'ConfigMap', metadata: { managedFields } }),
  }));
  if (a === undefined || b === undefined) return [];
  return compareAnswers({ op: 'request' }, a, b, newBindings()).map(({ path }) => path);
};

describe('owners', () => {
  test('whose writes fell into one second on one server only may stand in another order', () => {
    expect(places([written('b', 1), written('a', 2)], [written('a', 2), written('b', 2)])).toEqual([]);
  });

  test('whose times are in the same order stand in the same order', () => {
    expect(places([written('b', 1), written('a', 2)], [written('a', 2), written('b', 1)])).toContain(
      'metadata.managedFields.*.manager',
    );
  });

  test('own the same, whatever their order', () => {
    expect(places([written('b', 1), written('a', 2)], [written('a', 2, 'x'), written('b', 2)])).not.toEqual(
      [],
    );
  });
});
