export { chooseExecutors, telemetryFromEnv } from './backends-from-env.ts';
export { checkConfig } from './check-config.ts';
export { type ConfigPath, formatPath, parsePath } from './config-path.ts';
export { type ConfigKey, describeConfig, listConfigValues } from './describe-config.ts';
export {
  type ConfigTexts,
  type Edit,
  type Edited,
  type EditOptions,
  getConfigValue,
  setInTexts,
  unsetInTexts,
  type UnsetOptions,
} from './edit-texts.ts';
export { type Env, mergeEnv, readEnvFile, setEnvValue } from './env-file.ts';
export { isReference } from './expand.ts';
export { invalidConfig } from './invalid-config.ts';
export { readJsonc } from './jsonc-source.ts';
export { formatProblem, type Problem } from './problem.ts';
export { type ProfileFile, readProfileFile } from './profile-file.ts';
export { type Config, ConfigSchema, ROOT } from './schema.ts';
export { nameSecrets, replaceAt, secretsIn } from './secrets.ts';
export { NOT_READ_YET, UNREAD } from './unread/not-read-yet.ts';
export { siftUnread } from './unread/unread-keys.ts';
export { unreadVariables } from './unread/unread-variables.ts';
export { wantsTracing } from './wants-tracing.ts';
export { atItsPlace, checkedYaml, readWrittenYaml, type WrittenYaml } from './written-yaml.ts';
export { deleteIn, editYaml } from './yaml-edit.ts';
export { readYaml } from './yaml-source.ts';
