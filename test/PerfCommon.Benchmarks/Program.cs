using BenchmarkDotNet.Running;
using PerfCommon.Benchmarks.Against;
using PerfCommon.Benchmarks.Copying;
using PerfCommon.Benchmarks.Ladder;
using PerfCommon.Benchmarks.Publishing;
using PerfCommon.Benchmarks.Regression;
using PerfCommon.Benchmarks.Rounds;
using PerfCommon.Benchmarks.SideBySide;

namespace PerfCommon.Benchmarks;

internal static class Program
{
    private static int Main(string[] args)
    {
        if (args is ["ladder", .. var rest])
            return LadderProgram.Run(rest, Console.Out, Console.Error);
        if (args is ["regression", .. var others])
            return RegressionProgram.Run(others, Console.Out, Console.Error);
        if (args is ["lz4", .. var more])
            return Lz4Program.Run(more, Console.Out, Console.Error);
        if (args is ["copying", .. var rates])
            return CopyingProgram.Run(rates, Console.Out, Console.Error);
        if (args is ["publishing", .. var options])
            return PublishingProgram.Run(options, Console.Out, Console.Error);
        if (args is ["rounds", .. var words])
            return BareRounds.Run(words, Console.Out, Console.Error);
        if (args is [AgainstProgram.Option, ..])
            return AgainstProgram.Run(args, Console.Out, Console.Error);
        BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly).Run(args);
        return 0;
    }
}
