import type { LineRule } from '../rule.ts';

const OCTET = String.raw`(?:25[0-5]|2[0-4]\d|1?\d?\d)`;
const PRIVATE = String.raw`(?:0\.0\.0\.0|10\.|127\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|192\.168\.|192\.0\.2\.|198\.51\.100\.|203\.0\.113\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|1\.1\.1\.1|1\.0\.0\.1|8\.8\.8\.8|8\.8\.4\.4|9\.9\.9\.9|1\.2\.3\.4|5\.6\.7\.8|255\.)`;

/** Hosts that have no name, or a name that deceives. */
export const NETWORK: readonly LineRule[] = [
  {
    rule: 'network.raw-address',
    severity: 'caution',
    pattern: new RegExp(
      `\\b(?:https?|ftp|tcp|ws|wss):\\/\\/(?!${PRIVATE})${OCTET}(?:\\.${OCTET}){3}\\b`,
      'i',
    ),
  },
  {
    rule: 'network.raw-address-runs',
    severity: 'dangerous',
    pattern: new RegExp(
      `\\b(?:curl|wget|fetch)\\b[^\\n]{0,120}\\/\\/(?!${PRIVATE})${OCTET}(?:\\.${OCTET}){3}\\b[^\\n]{0,160}(?:\\|\\s{0,4}(?:sudo\\s)?(?:ba|z|da)?sh\\b|&&[^\\n]{0,60}chmod \\+x|;\\s{0,4}chmod \\+x|\\bpython3?\\b)`,
      'i',
    ),
  },
  {
    rule: 'network.disguised-address',
    severity: 'caution',
    pattern: /\bhttps?:\/\/(?:0x[0-9a-f]{6,8}|\d{8,10}|0\d{1,3}(?:\.0\d{1,3}){3})(?=[/:\s"'?#]|$)/i,
  },
  {
    rule: 'network.user-in-address',
    severity: 'caution',
    pattern: /\bhttps?:\/\/(?:www\.)?[\w-]{2,40}\.(?:com|org|io|net|dev)@[\w.-]{3,80}/i,
  },
  {
    rule: 'network.metadata',
    severity: 'caution',
    pattern: /169\.254\.169\.254|metadata\.google\.internal|169\.254\.170\.2|100\.100\.100\.200/,
  },
  {
    rule: 'network.fetched-program',
    severity: 'dangerous',
    pattern:
      /\b(?:curl|wget)\b[^\n]{0,200}(?:-o|-O|--output|>)\s{0,4}["']?(?:\/tmp|\/dev\/shm|\/var\/tmp)\/[.\w-]{1,60}["']?[^\n]{0,60}(?:&&|;)[^\n]{0,30}\bchmod\s{1,4}\S{0,6}\+?(?:x|7\d\d)[^\n]{0,60}(?:&&|;)\s{0,4}(?:nohup\s)?["']?(?:\/tmp|\/dev\/shm|\/var\/tmp)\//i,
  },
  {
    rule: 'network.miner',
    severity: 'dangerous',
    pattern: /\bstratum\+(?:tcp|ssl):\/\/|\bxmrig\b|\bminerd\b|--donate-level\b|\bcryptonight\b/i,
  },
];
