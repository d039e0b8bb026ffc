import { join } from 'node:path';
import { writeManifests } from './manifests.ts';

const written = writeManifests(join(import.meta.dirname, '..'));
console.log(written.length ? `wrote ${written.join(', ')}` : 'every manifest is fresh');
