export {
  type PlatformAction,
  type PlatformService,
  type ReleasePlatform,
  startReleasePlatform,
} from './release-platform.ts';
