import type { Language } from '#kit/language';

const en = {
  names: {
    home: 'Home',
    config: 'Configuration',
    secrets: 'Secrets',
    model: 'Model',
    fallback: 'Stand-ins',
    sandbox: 'Sandbox',
    disk: 'Disk',
    port: 'Port',
    unread: 'Not read',
    online: 'Answer',
  },
  notYet: (root: string) => `${root} (made at the first change)`,
  noSecrets: 'no .env',
  openSecrets: (file: string) => `${file} can be read by others`,
  noModel: 'none connected: the built-in operator answers',
  model: (name: string, protocol: string, window: string) => `${name} over ${protocol}, window ${window}`,
  noIsolation: 'commands run on this machine without isolation, and ask more often',
  aborted: 'stopped',
  late: (seconds: number) => `no answer within ${seconds} s`,
  free: (space: string, files: string) => `${space} and ${files} files free`,
  full: 'Make room: Hermes stops taking anything in when nothing can be written.',
  served: (url: string) => `${url}, served by this home`,
  portFree: (address: string) => `${address} is free`,
  portTaken: (address: string) => `${address}: something else listens there`,
  portFix: 'hermes serve --port <port>, or: hermes config set server.port <port>',
};

export type DoctorText = typeof en;

const zh: DoctorText = {
  names: {
    home: '主目录',
    config: '配置',
    secrets: '密钥文件',
    model: '模型',
    fallback: '备用模型',
    sandbox: '沙箱',
    disk: '磁盘',
    port: '端口',
    unread: '未读取',
    online: '应答',
  },
  notYet: (root) => `${root}(首次修改时创建)`,
  noSecrets: '没有 .env',
  openSecrets: (file) => `${file} 可被其他用户读取`,
  noModel: '未接入:由内置操作员回答',
  model: (name, protocol, window) => `${name},协议 ${protocol},窗口 ${window}`,
  noIsolation: '命令在本机运行,没有隔离,会更常询问',
  aborted: '已停止',
  late: (seconds) => `${seconds} 秒内没有应答`,
  free: (space, files) => `剩余 ${space},可建文件 ${files} 个`,
  full: '请清理空间:无法写入时 Hermes 不再接收任何内容。',
  served: (url) => `${url},由本主目录提供服务`,
  portFree: (address) => `${address} 空闲`,
  portTaken: (address) => `${address}:已被其他程序占用`,
  portFix: 'hermes serve --port <端口>,或:hermes config set server.port <端口>',
};

export const doctorText: Readonly<Record<Language, DoctorText>> = { en, zh };
