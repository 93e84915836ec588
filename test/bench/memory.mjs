/** Resident memory of another process, in bytes. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const field = (pid, name) => {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return found === null ? undefined : 1024 * Number(found[1]);
};

/** Resident now. */
export function residentBytes(pid) {
  try {
    return field(pid, 'VmRSS');
  } catch {
    return 1024 * Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).trim());
  }
}

/**
 * How much more than at its start was resident at the peak of `work`.
 * Linux counts the peak itself; elsewhere it is sampled every 5 ms.
 */
export async function peakExtraBytes(pid, work) {
  const before = residentBytes(pid);
  let peak = before;
  let counted = false;
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    counted = true;
  } catch {
    counted = false;
  }
  const sampling = counted ? undefined : setInterval(() => (peak = Math.max(peak, residentBytes(pid))), 5);
  await work();
  clearInterval(sampling);
  return (counted ? field(pid, 'VmHWM') : Math.max(peak, residentBytes(pid))) - before;
}
