using System.Globalization;
using Mutation;

// usage: Mutation ROOT ROOM [COUNT|all] [SEED] [FILE]
const int DefaultCount = 150;
const double GoalPercent = 85;

if (args.Length == 3 && args[0] == TestHost.Argument)
{
    await TestHost.Serve(args[1], args[2]).ConfigureAwait(false);
    return 0;
}

if (args.Length < 2)
{
    Console.WriteLine(string.Join(' ', Room.All.Select(room => room.Name)));
    return 0;
}

string root = Path.GetFullPath(args[0]);
Room? chosen = Array.Find(Room.All, room => room.Name == args[1]);
int count = DefaultCount;
int seed = 1;
if (chosen is null || (args.Length > 2 && args[2] != "all" && !int.TryParse(args[2], CultureInfo.InvariantCulture, out count)) ||
    (args.Length > 3 && !int.TryParse(args[3], CultureInfo.InvariantCulture, out seed)))
{
    Console.Error.WriteLine($"mutate: ROOM [COUNT|all] [SEED] [FILE], where ROOM is one of: {string.Join(' ', Room.All.Select(room => room.Name))}");
    return 2;
}

if (args.Length > 2 && args[2] == "all")
    count = int.MaxValue;
string folder = Directory.CreateTempSubdirectory("mutate-").FullName;
try
{
    return new MutationRun(chosen, root, folder, Console.Out).Run(count, seed, args.Length > 4 ? args[4] : "") >= GoalPercent ? 0 : 6;
}
finally
{
    Directory.Delete(folder, recursive: true);
}
