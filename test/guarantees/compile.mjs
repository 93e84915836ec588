/** Compiles the harness and what it imports into dist/guarantees. Shape: the folder of the compiled harness, as a URL. */
import { transformFileSync } from '@swc/core';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export function compiledGuarantees() {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const out = join(root, 'dist/guarantees');
  rmSync(out, { recursive: true, force: true });
  for (const folder of ['mockserver/ground', 'mockserver/store', 'mockserver/watch', 'test/guarantees']) {
    for (const name of readdirSync(join(root, folder))) {
      if (!name.endsWith('.ts')) continue;
      const { code } = transformFileSync(join(root, folder, name), {
        jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
        module: { type: 'es6' },
      });
      const to = join(out, folder, name.replace(/\.ts$/, '.js'));
      mkdirSync(dirname(to), { recursive: true });
      writeFileSync(to, code);
    }
  }
  return pathToFileURL(join(out, 'test/guarantees/'));
}
