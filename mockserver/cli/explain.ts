/** `explain`: what a file of fault rules does. */
import { existsSync } from 'node:fs';
import { planWords } from '../faults/explain.js';
import { scenario, scenarioNames } from '../facade/scenario.js';
import { ruleFile } from './serve.js';

/** @param file a path, or the name of a scenario. Errors: DocumentError; an Error when there is neither. */
export const explain = (file: string): string =>
  planWords(!existsSync(file) && scenarioNames().includes(file) ? scenario(file) : ruleFile(file));
