import { isRecord } from '#kit/is-record';
import type { Language } from '#kit/language';
import type { ErrorRecord } from '#spec/data';

/** What a failed connection says in Chinese, by the cause that its record names. */
const CAUSES: Readonly<Record<string, string>> = {
  timeout: '没有在限定时间内完整响应',
  ECONNREFUSED: '拒绝连接',
  ECONNRESET: '中断了连接',
  EPIPE: '中断了连接',
  UND_ERR_SOCKET: '响应之前中断了连接',
  ENETUNREACH: '从当前网络无法到达',
  EHOSTUNREACH: '从当前网络无法到达',
  ENOTFOUND: '域名无法解析',
  EAI_AGAIN: '域名暂时无法解析',
  CERT_HAS_EXPIRED: '证书已过期',
  CERT_NOT_YET_VALID: '证书尚未生效',
  DEPTH_ZERO_SELF_SIGNED_CERT: '使用自签名证书',
  SELF_SIGNED_CERT_IN_CHAIN: '证书不是由受信任的机构签发',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: '证书链不完整',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: '证书不是由受信任的机构签发',
  ERR_TLS_CERT_ALTNAME_INVALID: '证书与域名不符',
  EPROTO: '该端口不是 TLS',
  ERR_SSL_WRONG_VERSION_NUMBER: '该端口不是 TLS',
};

/** Why a host could not be asked, for people. A cause that has no words of its own is quoted. */
export function connectionWords(
  { message, hint, code, details }: ErrorRecord,
  target: string,
  language: Language,
): string {
  const told = code === 'tool.refused' && hint ? `${message} ${hint}` : message;
  if (language === 'en') return told;
  const cause = isRecord(details) && typeof details.cause === 'string' ? details.cause : '';
  const words = CAUSES[cause];
  if (words) return `${target} ${words}。`;
  return code === 'tool.refused'
    ? `Hermes 不允许访问 ${target}：\`${told}\``
    : `${target} 无法访问：\`${told}\``;
}
