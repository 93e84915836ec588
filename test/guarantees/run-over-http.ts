/** To come. */
export const runOverHttp = (
  _seed: number,
  _wanted: number,
): Promise<{ sessions: number; broken: string[]; summary: string }> =>
  Promise.resolve({ sessions: 0, broken: [], summary: '' });
