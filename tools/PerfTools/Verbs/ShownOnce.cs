using PerfTools.Hosting.Running;

namespace PerfTools.Verbs;

/// <summary>Shows lines that concern many runs alike a single time, where the output of the runs is not shown.</summary>
/// <param name="people">The console for people.</param>
internal sealed class ShownOnce(RunConsole people)
{
    private readonly HashSet<string> _shown = [];

    public void Show(string line)
    {
        if (_shown.Add(line))
            people.WriteLine(line);
    }
}
