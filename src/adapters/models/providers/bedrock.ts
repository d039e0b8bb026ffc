import { defineProvider } from '#spec/ports';

export const provider = defineProvider({
  id: 'bedrock',
  label: 'Amazon Bedrock',
  endpoints: { bedrock_converse: 'https://bedrock-runtime.${AWS_REGION:-us-east-1}.amazonaws.com' },
  auth: 'aws',
  keys: ['AWS_BEARER_TOKEN_BEDROCK'],
  keysUrl: 'https://console.aws.amazon.com/bedrock/home#/api-keys',
  // Claude is offered through inference profiles only; the global one can be called from every region.
  defaultModel: 'global.anthropic.claude-sonnet-5-5',
});
