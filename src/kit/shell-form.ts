/** Words of English sentences that stand in no plain command. */
const SENTENCE =
  /(?<![\w-])(?:a|an|the|is|are|was|were|am|be|i|me|my|we|our|us|you|your|it|its|this|that|these|those|what|which|who|why|how|when|where|please|of|on|to|for|with|from|and|or|but|not|no|all|any|some|if|so|does|do|did|can|could|should|will|would|has|have|had|there|here|every|keeps?|since|after)(?![\w-])/i;
const OPTION = /(?:^|\s)--?[a-zA-Z]/;
const OPERATOR = /\s(?:\||&&|\|\||>>?|2>)\s|\$\(/;
const MOST_PLAIN_WORDS = 6;
/** Programs whose names are no words: `find large files` may be meant as a sentence, `kubectl get pods` cannot. */
const NO_WORD =
  /^(?:kubectl|k9s|oc|docker|podman|crictl|ctr|nerdctl|helm|kustomize|argocd|kyverno|terraform|tofu|ansible|git|gh|glab|systemctl|journalctl|loginctl|hostnamectl|timedatectl|networkctl|resolvectl|ls|ps|df|du|cat|ss|ip|dig|ping|curl|wget|ssh|scp|nc|lsof|lsblk|dmesg|vmstat|iostat|netstat|uname|grep|egrep|awk|sed|psql|mysql|redis-cli|mongosh|etcdctl|openssl|npm|npx|pip|python3?|node|aws|gcloud|az|hermes)$/;

const ASKED_ZH =
  /^(?:请|麻烦|帮我|给我|你|再)*(?:执行|运行|跑)(?:一?下)?[::\s]*|[,,\s]*(?:请|麻烦|帮我|给我|你)*(?:(?:执行|运行|跑)(?:一?下)?|看(?:一?下|看|一看)|瞧瞧)[。!!]?$/g;

/** A message without a prompt before it and without the words that ask to run it. */
export const commandIn = (text: string): string =>
  text
    .trim()
    .replace(/^\$\s+/, '')
    .replaceAll(ASKED_ZH, '')
    .trim();

/**
 * The program of a message that has the form of a command: `ss -tlnp | grep 5432`, `kubectl get pods`. Undefined for a
 * sentence, and for a single word, which may be meant as either.
 */
export function programOf(text: string): string | undefined {
  const line = commandIn(text);
  const [, program, rest = ''] = /^([a-z][\w.+-]*)((?:\s+\S+)+)$/.exec(line) ?? [];
  if (program === undefined || /[?？]\s*$|\p{Script=Han}|,\s|\n/u.test(line)) return undefined;
  if (OPTION.test(rest) || OPERATOR.test(rest)) return program;
  const words = rest.trim().split(/\s+/);
  const plain = words.length < MOST_PLAIN_WORDS && !SENTENCE.test(line);
  return plain && NO_WORD.test(program) ? program : undefined;
}
