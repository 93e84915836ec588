/** What the docs say of faults is what is declared; their blocks are run by `npm run docs`. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { scenario, scenarioNames } from '../../mockserver/index.js';
import { reference } from '../../mockserver/faults/reference.js';

const page = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../docs/${name}`, import.meta.url)), 'utf8');

test('the reference is what is declared', () => {
  const written = /<!-- reference -->\n([^]*?)<!-- \/reference -->/.exec(page('faults.md'))?.[1]?.trim();
  expect(written).toBe(reference());
});

test.each(scenarioNames())(
  'the cookbook has a recipe for %s, with what the scenario says of itself',
  (name) => {
    const recipe = page('cookbook.md')
      .split(/^### /m)
      .find((part) => part.startsWith(`\`${name}\``));
    expect(recipe).toContain(`startScenario('${name}')`);
    expect(recipe).toContain(scenario(name).description);
  },
);
