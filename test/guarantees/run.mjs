// Compiles the harness, then runs it.
import { compiledGuarantees } from './compile.mjs';

await import(new URL('main.js', compiledGuarantees()).href);
