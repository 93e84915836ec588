/** The rules by which the fake node runs pods, which change while it does. */
import { type PodRule } from './pod-stages.js';

export class PodRules {
  readonly #beginning: readonly PodRule[];
  #rules: readonly PodRule[];
  readonly #listeners = new Set<() => void>();

  /** @param beginning those that `reset` goes back to */
  constructor(beginning: readonly PodRule[] = []) {
    this.#beginning = beginning;
    this.#rules = beginning;
  }

  /** Of several rules that fit a pod the first counts. */
  get all(): readonly PodRule[] {
    return this.#rules;
  }

  /** In front of those that there are. Pods on their way go on with the first stage of the new rule that they have not had. */
  add(...rules: readonly PodRule[]): void {
    this.#become([...rules, ...this.#rules]);
  }

  reset(): void {
    this.#become(this.#beginning);
  }

  /** Shape: what ends it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #become(rules: readonly PodRule[]): void {
    this.#rules = rules;
    for (const listener of this.#listeners) listener();
  }
}
