/** How people say that something was wrong and what is right instead. */
const CORRECTIONS: readonly RegExp[] = [
  /^(?:no|nope|wrong|not quite|that'?s (?:wrong|not right|incorrect)|incorrect|actually)\b[\s,.:;!-]{0,4}(?<rest>.{0,200}\b(?:use|using|it'?s|it is|should be|should use|must be|must use|instead|rather|the right|the correct|we (?:use|call|run)|is called|lives? (?:in|at|on))\b.{1,200})$/is,
  /^(?:please )?(?:don'?t|do not|never|stop) (?:use|using|run|running|restart|restarting|call|calling|deploy|deploying|touch|touching)\b.{1,200}\b(?:use|instead|rather|but)\b.{1,200}$/is,
  /^(?:use|try) .{1,120} instead(?: of .{1,120})?[.!]?$/is,
  /^(?:不对|不是|错了|不,|不,|搞错了|弄错了|说错了)[,,。!!\s]*(?<rest>.{0,100}(?:应该|应当|要用|得用|改用|换成|用|是|叫|在).{1,150})$/s,
  /^(?:不要|别)(?:用|再用|重启|执行|直接).{1,100}(?:用|改用|而是|应该|先).{1,150}$/s,
  /^.{0,60}(?:应该(?:用|是|先)|而不是).{1,150}$/s,
];

/** What a correction says, or undefined when a message is none. Questions correct nothing. */
export function correctionIn(text: string): string | undefined {
  const line = text.trim();
  if (!line || line.length > 400 || /[??吗呢]\s*$/.test(line)) return undefined;
  for (const pattern of CORRECTIONS) if (pattern.test(line)) return line.replace(/\s+/g, ' ');
  return undefined;
}
