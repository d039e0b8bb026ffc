export { type DiskOptions, openSmallDisk, type SmallDisk } from './small-disk.ts';
