#!/usr/bin/env node
/** Sends mutated objects and bytes to the built server: whatever comes, no answer is a 500 or stays away, and the server goes on. */
import { startServer } from '../programs/server.mjs';
import { seededRandom } from '../differential/random.mjs';
import { fuzzCustom } from './custom.mjs';
import { fuzzObjects } from './objects.mjs';
import { fuzzProtobuf } from './protobuf.mjs';

const USAGE = `usage: npm run fuzz -- [options]
  --objects N   mutated objects of built-in kinds (default 2000)
  --custom N    mutated definitions of custom resources and their objects (default 2000)
  --protobuf N  protobuf bodies with bytes changed (default 2000)
  --seed N      where chance begins (default 1)
exit: 0 no answer was a 500, wrong or missing, 1 one was, 2 usage`;

/** Characters of a request that went wrong. */
const SHOWN = 2000;

/** Each part: how many requests, and what came of them. */
const PARTS = { objects: fuzzObjects, custom: fuzzCustom, protobuf: fuzzProtobuf };

const options = { objects: 2000, custom: 2000, protobuf: 2000, seed: 1 };
const args = process.argv.slice(2);
while (args.length > 0) {
  const name = args.shift()?.replace(/^--/, '');
  const value = Number(args.shift());
  if (!Object.hasOwn(options, name) || !Number.isSafeInteger(value) || value < 0) {
    console.error(USAGE);
    process.exit(2);
  }
  options[name] = value;
}

let failures = 0;
for (const [name, part] of Object.entries(PARTS)) {
  if (options[name] === 0) continue;
  const server = await startServer([]);
  try {
    const { statuses, wrong, slowestMs } = await part({
      url: server.url,
      count: options[name],
      random: seededRandom(options.seed),
    });
    failures += wrong.length;
    const shown = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
    console.log(
      `${name}: ${options[name]} requests, seed ${options.seed}; answers ${shown.join(', ')}; slowest ${Math.round(slowestMs)} ms`,
    );
    for (const one of wrong.slice(0, 5)) console.log(`  ${JSON.stringify(one).slice(0, SHOWN)}`);
  } finally {
    await server.stop();
  }
}
console.log(`fuzz: ${failures} answers that a server must not give`);
process.exit(failures === 0 ? 0 : 1);
