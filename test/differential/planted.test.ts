/** The search itself: it finds what is wrong, makes it short, and finds nothing between equals. */
import { type MockServer, startMockServer } from '../../mockserver/index.js';
import { type Plant, searchPlanted } from './replay.mjs';

const SCENARIO = {
  seed: 1,
  steps: 60,
  areas: ['create', 'get', 'watch', 'patch'],
};

/** Shortening has half a minute for each difference, and a busy machine may need all of it. */
const PATIENCE_MS = 150_000;

describe('a search between two servers', () => {
  let [reference, candidate]: [MockServer | undefined, MockServer | undefined] = [undefined, undefined];
  beforeAll(async () => {
    [reference, candidate] = await Promise.all([startMockServer(), startMockServer()]);
  });
  afterAll(async () => {
    await reference?.stop();
    await candidate?.stop();
  });

  const searched = (plant?: Plant): ReturnType<typeof searchPlanted> => {
    if (reference === undefined || candidate === undefined) throw new Error('not started');
    return searchPlanted(reference, candidate, plant, SCENARIO);
  };

  test(
    'finds nothing when both are right',
    async () => {
      expect((await searched()).map(({ signature }) => signature)).toEqual([]);
    },
    PATIENCE_MS,
  );

  test.each<[plant: Plant, sign: RegExp]>([
    ['message', / message: .*not found.*<>.*not there/],
    ['event', /^WATCH .*MODIFIED/],
    ['default', /^POST .*spec: .*kubernetes.* <> absent/],
  ])(
    'finds a wrong %s and shows it in at most six steps',
    async (plant, sign) => {
      const found = await searched(plant);
      expect(found.map(({ signature }) => signature)).toContainEqual(expect.stringMatching(sign));
      const shortest = found.find(({ steps }) => steps !== undefined);
      expect(shortest?.steps?.length).toBeLessThanOrEqual(6);
    },
    PATIENCE_MS,
  );
});
