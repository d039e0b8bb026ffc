// Written by `npm run gen` from the files in models/providers. Do not edit.
import { provider as anthropic_ } from './providers/anthropic.ts';
import { provider as azure_ } from './providers/azure.ts';
import { provider as bedrock_ } from './providers/bedrock.ts';
import { provider as custom_ } from './providers/custom.ts';
import { provider as dashscope_ } from './providers/dashscope.ts';
import { provider as deepseek_ } from './providers/deepseek.ts';
import { provider as fireworks_ } from './providers/fireworks.ts';
import { provider as gemini_ } from './providers/gemini.ts';
import { provider as glm_ } from './providers/glm.ts';
import { provider as groq_ } from './providers/groq.ts';
import { provider as huggingface_ } from './providers/huggingface.ts';
import { provider as kimi_ } from './providers/kimi.ts';
import { provider as llamacpp_ } from './providers/llamacpp.ts';
import { provider as lmstudio_ } from './providers/lmstudio.ts';
import { provider as minimax_ } from './providers/minimax.ts';
import { provider as mistral_ } from './providers/mistral.ts';
import { provider as nous_ } from './providers/nous.ts';
import { provider as nvidia_ } from './providers/nvidia.ts';
import { provider as ollama_ } from './providers/ollama.ts';
import { provider as openai_ } from './providers/openai.ts';
import { provider as openrouter_ } from './providers/openrouter.ts';
import { provider as together_ } from './providers/together.ts';
import { provider as vllm_ } from './providers/vllm.ts';
import { provider as xai_ } from './providers/xai.ts';

export const providers = {
  anthropic: async () => anthropic_,
  azure: async () => azure_,
  bedrock: async () => bedrock_,
  custom: async () => custom_,
  dashscope: async () => dashscope_,
  deepseek: async () => deepseek_,
  fireworks: async () => fireworks_,
  gemini: async () => gemini_,
  glm: async () => glm_,
  groq: async () => groq_,
  huggingface: async () => huggingface_,
  kimi: async () => kimi_,
  llamacpp: async () => llamacpp_,
  lmstudio: async () => lmstudio_,
  minimax: async () => minimax_,
  mistral: async () => mistral_,
  nous: async () => nous_,
  nvidia: async () => nvidia_,
  ollama: async () => ollama_,
  openai: async () => openai_,
  openrouter: async () => openrouter_,
  together: async () => together_,
  vllm: async () => vllm_,
  xai: async () => xai_,
} as const;
