/** Scripts for `sh -c`, with the path as their first argument: links are followed by the sandbox, not by us. */
export const readScript = 'exec cat -- "$1"';

export const writeScript = `case $1 in */*) mkdir -p -- "\${1%/*}/" || exit;; esac
cat > "$1"`;
