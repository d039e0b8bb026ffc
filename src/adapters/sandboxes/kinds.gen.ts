// Written by `npm run gen` from the files in adapters/sandboxes. Do not edit.
export const kinds = {
  apptainer: async () => (await import('./containers/apptainer.ts')).sandbox,
  bubblewrap: async () => (await import('./bubblewrap/bubblewrap.ts')).sandbox,
  daytona: async () => (await import('./cloud/daytona.ts')).sandbox,
  docker: async () => (await import('./containers/docker.ts')).sandbox,
  local: async () => (await import('./local.ts')).sandbox,
  modal: async () => (await import('./cloud/modal.ts')).sandbox,
  podman: async () => (await import('./containers/podman.ts')).sandbox,
  singularity: async () => (await import('./containers/singularity.ts')).sandbox,
  ssh: async () => (await import('./ssh/ssh.ts')).sandbox,
} as const;
