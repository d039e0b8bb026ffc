export interface RemoteOptions {
  readonly host: string;
  readonly port: number;
  readonly user?: string | undefined;
  readonly key_file?: string | undefined;
  readonly working_dir?: string | undefined;
  readonly sandbox: boolean;
  readonly network: boolean;
  readonly host_key: 'known' | 'accept-new';
  readonly known_hosts?: string | undefined;
  readonly connect_timeout: number;
}
