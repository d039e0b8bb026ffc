const FROM_OURS =
  process.platform === 'win32'
    ? [
        'PATH',
        'PATHEXT',
        'SYSTEMROOT',
        'COMSPEC',
        'TEMP',
        'USERPROFILE',
        'APPDATA',
        'LOCALAPPDATA',
        'HOMEDRIVE',
        'HOMEPATH',
      ]
    : ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'];

/** All that a server sees of an environment: how to find programs and its home, and what its entry gives it. */
export function serverEnvironment(
  ours: Readonly<Record<string, string | undefined>>,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const kept = FROM_OURS.flatMap((name): [string, string][] => {
    const value = ours[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(kept), ...given };
}
