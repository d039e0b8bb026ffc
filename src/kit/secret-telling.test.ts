import { describe, expect, it } from 'vitest';
import { redact } from './redact.ts';

/** Sentences that tell a secret; its value stands between `⟦` and `⟧`. */
const TELLING = `
remember the password for staging is ⟦hunter2-Blue-77⟧
the password for the staging database is ⟦hunter2-Blue-77⟧.
The root password of db-1 was ⟦Sommer2024!⟧ until yesterday
the password to the admin console is ⟦k33p-0ut⟧
password on the jump host is ⟦Zq7!mmb2⟧
the password we use on prod-db-3 is ⟦Winter#2025⟧
my password for grafana: ⟦gr4f4na!x⟧
the staging password has been changed to ⟦Orange-Boat-42⟧
I changed the password of the replica to ⟦Orange-Boat-42⟧
we set the password for redis to ⟦r3dis_S3cure⟧
please set the password to ⟦N3w-Pa55word⟧ on db-2
the new password for user app in staging is "⟦correct horse⟧"
password for the vpn = ⟦vpn-9981-Qx⟧
the passphrase for the signing key is ⟦Blue42Whale⟧
the passphrase of the backup is '⟦green tulip harbour⟧'
the passcode for the meeting bridge is ⟦88f2c1⟧
the pin for the door is ⟦4711⟧
the PIN of the office safe is ⟦902155⟧
the api key for stripe is ⟦4eC39HqLyjWDarjtT1zdp7dc⟧
API key of the weather service: ⟦a8f5f167f44f4964e6c998dee827110c⟧
the token for the ci runner is ⟦Zx81-92kd-LLq0⟧
our token for the artifact registry was ⟦q1w2e3r4t5y6u7i8⟧
the secret for the webhook is ⟦9f8e7d6c5b4a3210⟧
client secret of the oauth app is ⟦Vg8Q~kd82LmPq⟧
the credential for the batch user is ⟦b4tch-Us3r-Pw⟧
the credentials to the ftp server are ⟦ftp-8812-Kp⟧
login for jenkins is admin and the password is ⟦J3nk1ns!⟧
note that the password for user "deploy" is ⟦d3pl0y-m3⟧
the admin password, by the way, is ⟦Qwerty!234⟧
the password for staging is now ⟦hunter3-Blue-78⟧
the password for staging will be ⟦hunter4-Blue-79⟧ from Monday
the password for staging should be ⟦hunter5-Blue-80⟧
use ⟦hunter2-Blue-77⟧ as the password for staging
⟦hunter2-Blue-77⟧ is the password for staging
log in with password ⟦hunter2-Blue-77⟧
log in to db-1 with the password ⟦hunter2-Blue-77⟧
the password's ⟦hunter2-Blue-77⟧
the db password (staging) is ⟦hunter2-Blue-77⟧
the password for https://grafana.example is ⟦hunter2-Blue-77⟧
the password for ops@example.com is ⟦hunter2-Blue-77⟧
password for staging - ⟦hunter2-Blue-77⟧
the wifi password at the datacentre is ⟦DC-guest-2231⟧
Passwd for the oracle box equals ⟦0racle_B0x⟧
the access key for the bucket was rotated to ⟦Kd82LmPqVg8QzzT1⟧
the password of the service account got reset to ⟦S3rv1ce-Acc⟧
记住 staging 的密码是 ⟦hunter2-Blue-77⟧
记住:生产库的密码是⟦Pr0d-Db-88⟧
密码改成 ⟦Xin-Mima-2025⟧ 了
数据库 root 用户的密码已经改成了 ⟦Root#9981⟧
预发环境的密码现在是 ⟦Yufa-2211⟧
堡垒机的口令为 ⟦Bao-lei-77⟧
跳板机的登录密码:⟦Tb9-Kq2-Zz⟧
把 redis 的密码设为 ⟦r3dis_S3cure⟧
把密码换成了 “⟦Lan-Se-42⟧”
支付网关的密钥是 ⟦9f8e7d6c5b4a3210⟧
CI 的令牌是 ⟦Zx81-92kd-LLq0⟧
密码(测试环境)是 ⟦Ceshi-8812⟧
密码我设置的是 ⟦Wo-De-9921⟧
用 ⟦hunter2-Blue-77⟧ 作为 staging 的密码
staging 密码用的是 ⟦hunter2-Blue-77⟧
`
  .trim()
  .split('\n');

const HARMLESS = `
the password is rotated weekly
the token is expired
the api key is in vault
set the password to the one in 1Password
the password for staging is in vault
the password for staging is in 1Password
the password of db-1 was changed on 2025-01-14
the password for staging is stored in secret/data/staging
the password for the database is read from DB_PASSWORD
the password to the admin console is the same as before
the password for staging is required
the password for staging is wrong, HTTP 401 was returned
the token for the ci runner is valid for 3600s
the token for the ci runner is valid until 2025-02-01
the token of the session is 32 characters long
the token limit for gpt-4o is 128000
the api key for stripe is missing
the api key of the weather service is rotated every 90 days
the secret for the webhook is mounted at /etc/secrets/webhook
the secret of good on-call is sleep
the key to the incident was db-1
the key for the cache is user:42
the pin for the version is v1.2.3
we should pin the image to 1.25.3
pin nginx to sha256 digests
the passphrase for the signing key is kept by Anna
the credentials for the batch user are in AWS-Secrets-Manager
the credentials to the ftp server are not known
the password policy for staging is 12 characters
the password on prod-db-3 is out of date
the password for the replica is different
the password for user deploy is not set
a token for the artifact registry was issued at 12:30
the token is an RS256 JWT
the secret for payment is named payment-db-credentials
the api key for OpenAI is set in the environment
password for staging: see vault
password for staging: ask #ops-team
the password for staging is <password>
the password for staging is $STAGING_PASSWORD
the password for staging is [secret:password]
use 1Password as the password manager
use OAuth2 as the token source
payment-v2 is the token issuer
pass the token to payment-service-v2
the password check takes 250ms on db-1
p99 of the token endpoint is 1.2s
the auth service is at v2.31.0
the token bucket is 1000rps
authentication is OAuth2
密码是必填的
密码是每周轮换的
staging 的密码在 Vault 里
令牌已经过期
令牌的有效期是 3600 秒
密码的长度是 12 位
密钥保存在 KMS 中
生产库的密码由 DBA 保管
密码改成从 Vault 读取
密码错误,返回 401
`
  .trim()
  .split('\n');

describe('a secret that is told in a sentence', () => {
  it('has enough sentences of both kinds', () => {
    expect(TELLING.length).toBeGreaterThanOrEqual(60);
    expect(HARMLESS.length).toBeGreaterThanOrEqual(60);
  });

  it.each(TELLING)('is hidden, and nothing else: %s', (line) => {
    const text = line.replace(/[⟦⟧]/g, '');
    const hidden = line.replace(/⟦.*⟧/, '[secret]');
    expect(redact(text).replace(/\[secret:[\w-]+\]/g, '[secret]')).toBe(hidden);
  });

  it.each(HARMLESS)('is not seen where none is: %s', (line) => {
    expect(redact(line)).toBe(line);
  });
});
