using BenchmarkDotNet.Running;
using PerfCommon.Benchmarks.Against;
using PerfCommon.Benchmarks.Ladder;
using PerfCommon.Benchmarks.Regression;

namespace PerfCommon.Benchmarks;

internal static class Program
{
    private static int Main(string[] args)
    {
        if (args is ["ladder", .. var rest])
            return LadderProgram.Run(rest, Console.Out, Console.Error);
        if (args is ["regression", .. var others])
            return RegressionProgram.Run(others, Console.Out, Console.Error);
        if (args is [AgainstProgram.Option, ..])
            return AgainstProgram.Run(args, Console.Out, Console.Error);
        BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly).Run(args);
        return 0;
    }
}
