using PerfTools.Face;
using PerfTools.Results;

namespace PerfTools.Scenarios;

/// <summary>What the figures of ProvPerf and ConsPerf mean to a run.</summary>
internal static class DirectFigures
{
    public static ProgressSample ReadProgress(JsonFigures provider, JsonFigures consumer) => new();

    public static RunFigures Read(ScenarioOptions options, JsonFigures provider, JsonFigures consumer) => throw new NotSupportedException();
}
