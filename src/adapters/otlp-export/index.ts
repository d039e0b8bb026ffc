export { openOtlpExporter } from './open-otlp-exporter.ts';
