using System.Runtime.InteropServices;

namespace StandIn;

/// <summary>
/// Replaces a program of another edition: it accepts that edition's options, prints its lines, writes its files, ends as it ends.
/// </summary>
/// <remarks>
/// StandIn edition tool [fault=kind] options: on the wire it is one of our tools, which it starts. The differences between editions are in
/// <see cref="Manner"/>.
/// </remarks>
internal static class Program
{
    private const string FaultWord = "fault=";
    private const string Help = "-help";

    private static int Main(string[] args)
    {
        if (args is not [var edition, var tool, .. var rest] || Manner.Find(edition) is not { } manner)
        {
            Console.Error.WriteLine("usage: StandIn c|java|csharp|ema-cpp|ema-java|ema-csharp tool [fault=kind] options");
            return 2;
        }

        string? fault = rest is [var first, ..] && first.StartsWith(FaultWord, StringComparison.Ordinal) ? first[FaultWord.Length..] : null;
        string[] options = fault is null ? rest : rest[1..];
        if (options is [Help])
            return manner.AnswerHelp(tool);
        if (OptionReader.Read(manner, tool, options, out string problem) is not { } told)
            return manner.RefuseOption(problem);
        switch (fault)
        {
            case "mute": // never listens, and hears nothing
                return Deafly();
            case "refuse":
                return manner.RefuseOption("-serviceName");
            case "crash":
                Console.WriteLine("Segmentation fault at address 0x0");
                Console.Out.Flush();
                return 139;
            case "stuck": // measures, and then never ends
                return Deafly(() => new Performance(manner, tool, told, fault).Run());
            case "slow": // starts later than a consumer of three seconds waits
                Thread.Sleep(TimeSpan.FromSeconds(5));
                return new Performance(manner, tool, told, fault).Run();
            default:
                return new Performance(manner, tool, told, fault).Run();
        }
    }

    // Deaf from before its work on: the signals may come while it is at it.
    private static int Deafly(Action? work = null)
    {
        using PosixSignalRegistration interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, context => context.Cancel = true);
        using PosixSignalRegistration terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, context => context.Cancel = true);
        work?.Invoke();
        Thread.Sleep(TimeSpan.FromMinutes(5)); // bounded, in case it is never ended
        return 0;
    }
}
