/** Signals that containers may be stopped by. Source: kubernetes apis/core/types.go. */

const counted = (name: string, from: number, to: number): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => `${name}${from + i}`);

export const SIGNALS_WINDOWS = ['SIGKILL', 'SIGTERM'];

/** In byte order, as errors show them. */
export const SIGNALS_LINUX: readonly string[] = [
  ...'ABRT ALRM BUS CHLD CLD CONT FPE HUP ILL INT IO IOT KILL PIPE POLL PROF PWR QUIT SEGV STKFLT STOP SYS TERM TRAP TSTP TTIN TTOU URG USR1 USR2 VTALRM WINCH XCPU XFSZ'
    .split(' ')
    .map((name) => `SIG${name}`),
  'SIGRTMIN',
  'SIGRTMAX',
  ...counted('SIGRTMIN+', 1, 15),
  ...counted('SIGRTMAX-', 1, 14),
].sort();
