using PerfTools.Face;
using PerfTools.Results;

namespace PerfTools.Scenarios;

/// <summary>What the figures of two TransportPerfs mean to a run.</summary>
internal static class TransportFigures
{
    public static ProgressSample ReadProgress(JsonFigures server, JsonFigures client) => new();

    public static RunFigures Read(ScenarioOptions options, bool reflects, JsonFigures server, JsonFigures client) => throw new NotSupportedException();
}
