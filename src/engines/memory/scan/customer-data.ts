/** Digits in groups, as cards are written. */
const CARD = /(?<![\w.-])\d(?:[ -]?\d){14,18}(?![\w-])/g;
/** What the numbers of card companies begin with, and how long they are. */
const ISSUED =
  /^(?:4\d{15}(?:\d{3})?|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|6(?:011|5\d\d|4[4-9]\d)\d{12}|35\d{14}|62\d{14,17})$/;
const CHINESE_ID =
  /(?<![\w-])[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dX](?![\w-])/gi;
const SOCIAL_SECURITY = /(?<![\w-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])/;
const MAIL = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/g;
const MANY_PEOPLE = 8;

/** Whether a text holds what belongs to customers. */
export function findCustomerData(text: string): 'card' | 'identity' | 'people' | undefined {
  for (const [match] of text.matchAll(CARD)) {
    const digits = match.replace(/\D/g, '');
    if (ISSUED.test(digits) && luhn(digits)) return 'card';
  }
  for (const [match] of text.matchAll(CHINESE_ID)) if (isChineseId(match)) return 'identity';
  if (SOCIAL_SECURITY.test(text)) return 'identity';
  return new Set(text.match(MAIL)).size >= MANY_PEOPLE ? 'people' : undefined;
}

function luhn(digits: string): boolean {
  let sum = 0;
  for (const [at, digit] of [...digits].toReversed().entries()) {
    const twice = at % 2 ? Number(digit) * 2 : Number(digit);
    sum += twice > 9 ? twice - 9 : twice;
  }
  return sum % 10 === 0;
}

const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];

function isChineseId(id: string): boolean {
  const sum = WEIGHTS.reduce((total, weight, at) => total + weight * Number(id[at]), 0);
  return '10X98765432'[sum % 11] === id.at(-1)?.toUpperCase();
}
