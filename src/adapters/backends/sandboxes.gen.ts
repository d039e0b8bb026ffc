// Written by `npm run gen` from the files in backends/sandboxes. Do not edit.
export const sandboxes = {
  apptainer: async () => (await import('./sandboxes/apptainer.ts')).sandbox,
  bubblewrap: async () => (await import('./sandboxes/bubblewrap.ts')).sandbox,
  daytona: async () => (await import('./sandboxes/daytona.ts')).sandbox,
  docker: async () => (await import('./sandboxes/docker.ts')).sandbox,
  local: async () => (await import('./sandboxes/local.ts')).sandbox,
  modal: async () => (await import('./sandboxes/modal.ts')).sandbox,
  podman: async () => (await import('./sandboxes/podman.ts')).sandbox,
  singularity: async () => (await import('./sandboxes/singularity.ts')).sandbox,
  ssh: async () => (await import('./sandboxes/ssh.ts')).sandbox,
} as const;
